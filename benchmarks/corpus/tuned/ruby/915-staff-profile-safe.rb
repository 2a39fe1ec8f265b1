# frozen_string_literal: true

module Api
  class ProfilesController < ApplicationController
    before_action :authenticate_user!
    before_action :load_profile

    def show
      render json: ProfileSerializer.new(@profile)
    end

    def update
      if @profile.update(profile_attributes)
        render json: ProfileSerializer.new(@profile)
      else
        render json: { errors: @profile.errors.full_messages }, status: :unprocessable_entity
      end
    end

    private

    def load_profile
      @profile = current_user
    end

    def profile_attributes
      attributes = params.require(:profile).permit(:name, :phone, :about, :time_zone)
      attributes[:phone] = attributes[:phone].to_s.delete("^0-9+") if attributes.key?(:phone)
      attributes
    end
  end
end
