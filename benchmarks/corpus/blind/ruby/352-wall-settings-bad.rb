class WallSettingsController < ApplicationController
  before_action :authenticate_user!
  skip_before_action :verify_authenticity_token, only: %i[update]

  def edit
    @settings = current_user.wall_settings
  end

  def update
    @settings = current_user.wall_settings
    if @settings.update(settings_params)
      redirect_to edit_wall_settings_path, notice: 'Saved'
    else
      render :edit, status: :unprocessable_entity
    end
  end

  private

  def settings_params
    params.require(:wall_settings).permit(:colour, :visible_to, :allow_posts)
  end
end
