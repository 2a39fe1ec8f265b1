class FloorPlansController < ApplicationController
  before_action :authenticate_user!

  PLANS = Rails.root.join('storage', 'plans')

  def index
    @plans = PLANS.children.map { |plan| plan.basename.to_s }.sort
  end

  def show
    path = plan_path(params[:name])
    return head :not_found unless path && File.file?(path)

    send_file path, type: 'application/pdf', disposition: 'inline'
  end

  private

  def plan_path(name)
    PLANS.join("#{name}")
  end
end
